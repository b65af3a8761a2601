import { join } from 'node:path';
import * as v from 'valibot';
import type { Rendering } from '../engine/page.ts';
import { mustFindProgram } from '../engine/program.ts';
import { noSite, readRendered, siteFolder } from '../engine/read.ts';
import { newMark } from '../engine/records.ts';
import { runEngine } from '../engine/run.ts';
import { EngineUnknown } from '../errors.ts';
import type { ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { firstIn } from '../sources/files.ts';
import { writeLayouts, type SiteModule } from './layouts.ts';
import { pagesFrom } from './pages.ts';

/**
 * Reads a site through its own Hugo:
 *
 *     modulesIn      the project, its themes and modules
 *     writeLayouts   layouts that show a page as a record              layouts.ts, page.template, listed.template
 *     runEngine      Hugo, into a temporary folder                     ../engine/run.ts
 *     pagesFrom      records → pages: posts, languages                 pages.ts
 *     readRendered   pages → posts                                     ../engine/read.ts
 *
 * @throws ImportError without a site or Hugo, PathUnreadable, EngineFailed, EngineUnknown
 */
export async function* readHugoSite(path: string, options: ReadOptions): AsyncGenerator<ReadItem> {
  const root = await siteFolder(path);
  if ((await firstIn(root, FILES)) === null) throw noSite(path, 'Hugo', 'hugo.toml, config.toml or config/');
  const where = 'Hugo (https://gohugo.io/installation/)';
  const program = await mustFindProgram(options.engine ?? 'hugo', where, root);
  yield* readRendered('hugo', root, (folder) => render(root, program, folder, options.section), options);
}

/** One of these has the configuration of a site. */
const FILES = ['hugo', 'config'].flatMap((name) =>
  ['.toml', '.yaml', '.yml', '.json', ''].map((ending) => name + ending),
);

/** @param folder for what is written */
async function render(
  root: string,
  program: string,
  folder: string,
  section: ReadOptions['section'],
): Promise<Rendering> {
  const output = { folder: join(folder, 'site'), mark: newMark() };
  const layouts = join(folder, 'layouts');
  const run = (...args: string[]): Promise<string> =>
    runEngine({
      program: [program],
      args,
      cwd: root,
      environment: {
        // The site would get these folders otherwise.
        HUGO_RESOURCEDIR: join(folder, 'resources'),
        HUGO_PUBLISHDIR: output.folder,
        HUGO_BUILD_WRITESTATS: 'false',
        HUGO_BUILD_BUILDSTATS_ENABLE: 'false',
        // Static files are not needed, and may be many.
        HUGO_STATICDIR: join(folder, 'static'),
      },
    });
  const by = `hugo ${/\d+\.\d+(?:\.\d+)?/.exec(await run('version'))?.[0] ?? ''}`.trim();
  const defaultLanguage = defaultLanguageIn(await run('config'));
  const modules = modulesIn(await run('config', 'mounts'), by);
  await writeLayouts(modules, layouts, output.mark);
  await run('--destination', output.folder, '--layoutDir', layouts, '--noBuildLock', ...PUBLIC);
  return { by, ...(await pagesFrom(output, defaultLanguage, section)) };
}

/** These override the site's configuration: a post that is marked as a draft is never public. */
const PUBLIC = ['--buildDrafts=false', '--buildExpired=false', '--buildFuture=false'];

const Module = v.object({
  dir: v.string(),
  owner: v.optional(v.string(), ''),
  mounts: v.optional(v.nullable(v.array(v.object({ source: v.string(), target: v.string() }))), []),
});

/** Parses the output of `hugo config mounts`: one JSON document for each module. */
function modulesIn(printed: string, engine: string): SiteModule[] {
  try {
    return printed
      .slice(printed.indexOf('{'))
      .split(/^(?=\{)/m)
      .map((text) => {
        const json: unknown = JSON.parse(text);
        const { mounts, ...module } = v.parse(Module, json);
        return { ...module, mounts: mounts ?? [] };
      });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof v.ValiError)
      throw new EngineUnknown(engine, 'does not say where the layouts of the site are');
    throw error;
  }
}

function defaultLanguageIn(config: string): string {
  const [, language = 'en'] = /^\s*"?defaultcontentlanguage"?\s*[=:]\s*["']([^"']+)/im.exec(config) ?? [];
  return language.toLowerCase();
}
