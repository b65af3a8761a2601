import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { programFile } from '../../common/program-files.ts';
import type { Rendering } from '../engine/page.ts';
import { findProgram, mustFindProgram } from '../engine/program.ts';
import { noSite, readRendered, siteFolder } from '../engine/read.ts';
import { newMark } from '../engine/records.ts';
import { type Program, runEngine } from '../engine/run.ts';
import { EngineFailed } from '../errors.ts';
import type { ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { firstIn } from '../sources/files.ts';
import { pagesFrom } from './pages.ts';

/**
 * Reads a site through its own Jekyll:
 *
 *     programFor       `bundle exec jekyll`, or `jekyll`
 *     runEngine        Jekyll, with an extension of ours     ../engine/run.ts, offprint_export.rb
 *     pagesFrom        records → pages: posts, collections   pages.ts
 *     readRendered     pages → posts                         ../engine/read.ts
 *
 * @throws ImportError without a site or Jekyll, PathUnreadable, EngineFailed, EngineUnknown
 */
export async function* readJekyllSite(path: string, options: ReadOptions): AsyncGenerator<ReadItem> {
  const root = await siteFolder(path);
  const config = await firstIn(root, ['_config.yml', '_config.yaml', '_config.toml']);
  if (config === null && (await firstIn(root, ['_posts'])) === null)
    throw noSite(path, 'Jekyll', '_config.yml');
  yield* readRendered('jekyll', root, (folder) => render(root, config, folder, options), options);
}

interface Started {
  readonly program: Program;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The command to start Jekyll: with the gems of the site's Gemfile if they are installed, otherwise without.
 *
 * @throws ImportError if it is not installed
 */
async function programFor(root: string, folder: string, engine: string | undefined): Promise<Started> {
  const environment = await prepareGemfile(root, folder);
  if (engine === undefined && environment !== null) {
    const bundle = await findProgram('bundle');
    if (bundle !== null && (await areGemsInstalled(bundle, root, environment)))
      return { program: [bundle, 'exec', 'jekyll'], environment };
  }
  const where = 'Jekyll (https://jekyllrb.com/docs/installation/)';
  const jekyll = await mustFindProgram(engine ?? 'jekyll', where, root);
  return {
    program: [jekyll],
    // Jekyll would require the gems by itself.
    environment: engine === undefined ? { JEKYLL_NO_BUNDLER_REQUIRE: 'true' } : (environment ?? {}),
  };
}

/** Variables that make Bundler use the site's Gemfile and write nothing next to it; null without a Gemfile. */
async function prepareGemfile(root: string, folder: string): Promise<Record<string, string> | null> {
  if ((await firstIn(root, ['Gemfile'])) === null) return null;
  if ((await firstIn(root, ['Gemfile.lock'])) !== null) return { BUNDLE_FROZEN: 'true' };
  const copy = join(folder, 'Gemfile');
  await copyFile(join(root, 'Gemfile'), copy);
  return { BUNDLE_GEMFILE: copy };
}

async function areGemsInstalled(
  bundle: string,
  cwd: string,
  own: Readonly<Record<string, string>>,
): Promise<boolean> {
  const environment = { ...own, BUNDLE_AUTO_INSTALL: 'false' };
  try {
    const args = ['exec', 'jekyll', '--version'];
    await runEngine({ program: [bundle], args, cwd, environment });
    return true;
  } catch (error) {
    if (error instanceof EngineFailed) return false;
    throw error;
  }
}

/** @param folder for what is written */
async function render(
  root: string,
  config: string | null,
  folder: string,
  { engine, collection }: ReadOptions,
): Promise<Rendering> {
  const { program, environment } = await programFor(root, folder, engine);
  const output = { folder: join(folder, 'records'), mark: newMark() };
  await mkdir(output.folder);
  const settings = join(folder, 'settings.yml');
  await writeFile(settings, JSON.stringify(settingsWith(join(folder, 'site'))));
  const configs = [...(config === null ? [] : [join(root, config)]), settings].join(',');
  const library = programFile('import/jekyll');
  await runEngine({
    // Without --source: the configuration may name a different folder.
    program,
    args: ['build', '--config', configs],
    cwd: root,
    environment: {
      ...environment,
      RUBYLIB: [library, process.env['RUBYLIB']].filter(Boolean).join(delimiter),
      RUBYOPT: ['-roffprint_export', process.env['RUBYOPT']].filter(Boolean).join(' '),
      JEKYLL_ENV: process.env['JEKYLL_ENV'] ?? 'production',
      OFFPRINT_EXPORT_MARK: output.mark,
      OFFPRINT_EXPORT_FOLDER: output.folder,
    },
  });
  const { version, ...rendered } = await pagesFrom(output, collection);
  return { ...rendered, by: `jekyll ${version}${program.length > 1 ? ' (bundle exec)' : ''}` };
}

/** These override the site's configuration: a post that is marked as a draft is never public. JSON is valid YAML. */
function settingsWith(destination: string): Record<string, unknown> {
  return {
    destination,
    show_drafts: false,
    unpublished: false,
    future: false,
    disable_disk_cache: true,
    incremental: false,
    watch: false,
    profile: false,
  };
}
