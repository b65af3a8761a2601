import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { read } from '../docs/documents.ts';

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

const workflowSchema = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(z.string()) }),
    schedule: z.array(z.strictObject({ cron: z.string().regex(/^[\d*/,-]+( [\d*/,-]+){4}$/) })),
    workflow_dispatch: z.strictObject({
      inputs: z.strictObject({
        force: z.strictObject({ description: z.string(), type: z.literal('boolean') }),
      }),
    }),
  }),
  env: texts,
  permissions: z.partialRecord(z.enum(['contents', 'pages', 'id-token']), z.enum(['read', 'write'])),
  concurrency: z.string(),
  jobs: z.strictObject({
    publish: z.strictObject({
      'runs-on': z.string(),
      environment: z.strictObject({ name: z.string(), url: z.string() }).optional(),
      steps: z.array(
        z.strictObject({
          id: z.string().optional(),
          name: z.string().optional(),
          if: z.string().optional(),
          uses: z
            .string()
            .regex(/^[\w-]+\/[\w/-]+@v\d+$/)
            .optional(),
          with: texts.default({}),
          run: z.string().optional(),
          env: texts.default({}),
          'working-directory': z.string().default('.'),
        }),
      ),
    }),
  }),
});

type Step = z.infer<typeof workflowSchema>['jobs']['publish']['steps'][number];

/** Where a site would be on Pages. */
const PAGES: Readonly<Record<string, string>> = {
  base_url: 'https://ada.github.io/blog',
  origin: 'https://ada.github.io',
  base_path: '/blog',
};

export interface WorkflowRun {
  /** Whether all steps succeeded. */
  readonly isGreen: boolean;
  /** All output. */
  readonly log: string;
  /** What `::error` lines say. */
  readonly errors: readonly string[];
  /** The folder that was deployed to Pages, if it was. */
  readonly site: string | null;
}

/**
 * A repository on GitHub with one workflow. Its own steps run in bash, as on GitHub; actions of the platform are replaced
 * by what their documentation says that they do, and programs are those of this machine.
 */
export class WorkflowRunner {
  readonly #file: string;
  readonly #folder: string;
  readonly #cache: { readonly key: string; readonly folder: string }[] = [];
  #runs = 0;

  /** @param file from the project's folder @param folder an empty one */
  constructor(file: string, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  /** Deletes the cache, as the platform does after a week. */
  evict(): void {
    this.#cache.length = 0;
  }

  /**
   * @param repository its files
   * @param env replaces variables at the top of the workflow
   * @param force as chosen when it is started by hand
   */
  run(
    repository: string,
    env: Readonly<Record<string, string>>,
    { secrets = {}, force = false }: { secrets?: Readonly<Record<string, string>>; force?: boolean } = {},
  ): WorkflowRun {
    const workflow = workflowSchema.parse(parse(read(this.#file)));
    const number = ++this.#runs;
    const workspace = join(this.#folder, `run-${number}`);
    mkdirSync(workspace);
    const context: Record<string, string> = {
      'github.run_id': String(1000 + number),
      'github.run_attempt': '1',
      "inputs.force && '--force' || ''": force ? '--force' : '',
      ...Object.fromEntries(
        Object.entries(PAGES).map(([name, value]) => [`steps.pages.outputs.${name}`, value]),
      ),
      ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value])),
    };
    /** A secret that does not exist is empty. */
    const filled = (text: string) =>
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, name: string) => {
        if (!(name in context) && !name.startsWith('secrets.')) throw new Error(`unknown: ${name}`);
        return context[name] ?? '';
      });
    const variables = Object.fromEntries(
      Object.entries({ ...workflow.env, ...env }).map(([name, value]) => [name, filled(value)]),
    );
    for (const [name, value] of Object.entries(variables)) context[`env.${name}`] = value;
    const global = join(this.#folder, 'global');
    const ofSystem = Object.entries(process.env).filter(([name]) => !/^(?:OFFPRINT|AWS)_/.test(name));
    const added = join(workspace, '.added-variables');
    writeFileSync(added, '');
    const environment = () => ({
      ...Object.fromEntries(ofSystem),
      ...variables,
      ...{ GITHUB_ACTIONS: 'true', CI: 'true', npm_config_prefix: global, npm_config_prefer_offline: 'true' },
      PATH: [join(global, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
      GITHUB_ENV: added,
      GITHUB_WORKSPACE: workspace,
      ...Object.fromEntries(
        [...readFileSync(added, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
      ),
    });
    let log = '';
    let site: string | null = null;
    const act = ({ uses = '', with: given }: Step): void => {
      const at = (name: string) => join(workspace, given[name] ?? '');
      const cached = (given['path'] ?? '').trim().split('\n');
      const key = filled(given['key'] ?? '');
      const actions: Readonly<Record<string, () => void>> = {
        'actions/checkout': () => cpSync(repository, at('path'), { recursive: true }),
        'actions/configure-pages': () => undefined,
        'actions/setup-node': () => undefined,
        'ruby/setup-ruby': () => undefined,
        'actions/cache/restore': () => {
          const kept = this.#cache.findLast(
            (one) => one.key === key || one.key.startsWith(given['restore-keys'] ?? '-'),
          );
          if (kept) cpSync(kept.folder, workspace, { recursive: true });
        },
        'actions/cache/save': () => {
          const folder = join(this.#folder, `cache-${number}`);
          for (const path of cached) cpSync(join(workspace, path), join(folder, path), { recursive: true });
          this.#cache.push({ key, folder });
        },
        'actions/upload-pages-artifact': () => {
          const entries = readdirSync(at('path'), { recursive: true, withFileTypes: true });
          if (!entries.every((one) => one.isFile() || one.isDirectory()))
            throw new Error('a link in the artifact');
          cpSync(at('path'), join(this.#folder, 'artifact'), { recursive: true });
        },
        'actions/deploy-pages': () => {
          site = join(this.#folder, 'pages');
          rmSync(site, { recursive: true, force: true });
          cpSync(join(this.#folder, 'artifact'), site, { recursive: true });
        },
      };
      const [name = ''] = uses.split('@');
      const action = actions[name];
      if (!action) throw new Error(`The workflow uses ${uses}.`);
      action();
    };
    const applies = ({ if: condition, name }: Step): boolean => {
      if (name === 'Install Hugo') return false; // This machine has it.
      const [, variable = '', operator, value] = /^env\.(\w+) ([=!]=) '(\w+)'$/.exec(condition ?? '') ?? [];
      return condition === undefined || (variables[variable] === value) === (operator === '==');
    };
    rmSync(join(this.#folder, 'artifact'), { recursive: true, force: true });
    let isGreen = true;
    for (const step of workflow.jobs.publish.steps.filter(applies)) {
      if (step.run === undefined) {
        act(step);
        continue;
      }
      const { status, stdout, stderr } = spawnSync(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', '-c', filled(step.run)],
        {
          cwd: join(workspace, filled(step['working-directory'])),
          env: {
            ...environment(),
            ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, filled(value)])),
          },
          encoding: 'utf8',
        },
      );
      log += stdout + stderr;
      if (status === 0) continue;
      isGreen = false;
      break;
    }
    const errors = [...log.matchAll(/^::error(?: [^:]*)?::(.*)$/gm)].map(([, message = '']) => message);
    return { isGreen, log, errors, site };
  }
}

/** The text of a file of a deployed site; null: there is none. */
export function served(site: string | null, path: string): string | null {
  const file = join(site ?? '', path);
  return site !== null && existsSync(file) ? readFileSync(file, 'utf8') : null;
}
