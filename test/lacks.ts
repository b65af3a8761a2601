import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why tests of a file are skipped: what this machine lacks, and what to do. */
    lacks?: string[];
  }
}

/** What tests need besides what npm installs, and how to get it. */
const NEEDS = {
  PostgreSQL: 'apt-get install postgresql',
  PgBouncer: 'apt-get install pgbouncer',
  Chromium: 'apt-get install chromium, or name another by CHROMIUM',
  nginx: 'apt-get install nginx-light',
  'nginx with Lua': 'apt-get install nginx-light libnginx-mod-http-lua',
  Caddy: 'apt-get install caddy',
  Prometheus: 'apt-get install prometheus',
  Hugo: 'apt-get install hugo',
  Jekyll: 'apt-get install jekyll',
  Ghost: 'test/engines/install-ghost FOLDER, and name it by OFFPRINT_TEST_GHOST',
  WordPress: 'apt-get install wordpress php-cli php-mysql mariadb-server',
  'site generators': 'test/engines/install-generators FOLDER, and name it by OFFPRINT_TEST_GENERATORS',
  'real blogs': 'put them into shared/ next to the checkout',
  'a bucket': 'name it by variables: test/publish/thorough/real-store.test.ts',
  systemd: 'apt-get install systemd',
  script: 'apt-get install bsdutils',
  prlimit: 'apt-get install util-linux',
  strace: 'apt-get install strace, and allow tracing',
  'permission to mount': 'run the tests as root',
  'the user root': 'run the tests as root',
  'another user than root': 'run the tests without root',
  Linux: 'run the tests on Linux',
  'this blog': 'nothing: these tests are for another blog of the file',
} as const;

/**
 * Whether to skip tests because this machine lacks what they need: `describe.skipIf(lacks('nginx', HAS_NGINX))`. At
 * the end of a run test/skipped-reporter.ts lists what was lacking.
 */
export function lacks(what: keyof typeof NEEDS, isThere: boolean): boolean {
  if (isThere) return false;
  const { meta } = TestRunner.getCurrentSuite().file;
  (meta.lacks ??= []).push(`${what} (${NEEDS[what]})`);
  return true;
}
