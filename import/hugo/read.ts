import { join } from 'node:path';
import * as v from 'valibot';
import { findProgram } from '../engine/program.ts';
import { runEngine } from '../engine/run.ts';
import { newMark } from '../engine/records.ts';
import type { Engine, Scope } from '../engine/page.ts';
import { readRendered, siteFolder } from '../engine/read.ts';
import { makeWorkspace, type Workspace } from '../engine/workspace.ts';
import { EngineMissing, EngineUnknown, NoSiteOfEngine } from '../errors.ts';
import type { ReadOptions } from '../read-options.ts';
import type { ImportedItem } from '../imported-item.ts';
import { hasConfiguration, remounted } from './configuration.ts';
import { writeLayouts, type SiteModule } from './layouts.ts';
import { pagesFrom } from './pages.ts';

/**
 * Reads a site through its own Hugo:
 *
 *     modulesIn      the project, its themes and modules
 *     writeLayouts   layouts that show a page as a record              layouts.ts, page.template, listed.template
 *     remounted      the configuration, where that names layouts       configuration.ts
 *     runEngine      Hugo, into a temporary folder                     ../engine/run.ts
 *     pagesFrom      records → pages: posts, languages, sources        pages.ts
 *     readRendered   pages → posts, by what is public and what not     ../engine/read.ts
 *
 * @throws FolderMissing, FolderIsFile, PathUnreadable, NoSiteOfEngine, EngineMissing, EngineFailed, EngineUnknown
 */
export async function* readHugoSite(path: string, options: ReadOptions): AsyncGenerator<ImportedItem> {
  const { engine = 'hugo' } = options;
  const root = await siteFolder(path);
  if (!(await hasConfiguration(root)))
    throw new NoSiteOfEngine(path, 'Hugo', 'hugo.toml, config.toml or config/');
  const program = await findProgram(engine);
  if (program === null) throw new EngineMissing(engine, 'Hugo (https://gohugo.io/installation/)');
  const workspace = await makeWorkspace();
  try {
    yield* readRendered(await hugoFor(root, program, workspace, options), root, options);
  } finally {
    await workspace.remove();
  }
}

async function hugoFor(
  root: string,
  program: string,
  workspace: Workspace,
  options: ReadOptions,
): Promise<Engine> {
  const mark = newMark();
  const layouts = join(workspace.folder, 'layouts');
  const other = join(workspace.folder, 'other');
  const run = (output: string, ...args: string[]): Promise<string> =>
    runEngine({
      ...{ program: [program], args, cwd: root, workspace },
      environment: {
        // The site would get these folders otherwise.
        HUGO_RESOURCEDIR: join(workspace.folder, 'resources'),
        HUGO_PUBLISHDIR: output,
        HUGO_BUILD_WRITESTATS: 'false',
        HUGO_BUILD_BUILDSTATS_ENABLE: 'false',
        // Static files are not needed, and may be many.
        HUGO_STATICDIR: join(workspace.folder, 'static'),
      },
    });
  const name = `hugo ${/\d+\.\d+(?:\.\d+)?/.exec(await run(other, 'version'))?.[0] ?? ''}`.trim();
  const defaultLanguage = defaultLanguageIn(await run(other, 'config'));
  const modules = modulesIn(await run(other, 'config', 'mounts'), name);
  await writeLayouts(modules, layouts, mark);
  const configuration = await remounted(root, modules, layouts, join(workspace.folder, 'configuration'));
  return {
    name,
    async render(scope) {
      const output = join(workspace.folder, scope);
      const folders = ['--destination', output, '--layoutDir', layouts, ...configuration];
      await run(output, ...folders, '--noBuildLock', ...flagsOf(scope));
      return { by: name, ...(await pagesFrom({ output, mark, root, defaultLanguage, ...options })) };
    },
  };
}

/** These override the site's configuration: a post that is marked as a draft stays one. */
function flagsOf(scope: Scope): string[] {
  const isAll = scope === 'all';
  return [
    `--buildDrafts=${isAll}`,
    `--buildExpired=${isAll}`,
    `--buildFuture=${isAll || scope === 'scheduled'}`,
  ];
}

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
