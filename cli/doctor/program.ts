import { error, failed, type Finding, ok } from './check.ts';
import { VERSION } from '../version.ts';

/** Whether this machine can run the program: its native package is for one platform and Node version. */
export async function checkProgram(): Promise<readonly Finding[]> {
  const program = `Offprint ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  try {
    const { default: Database } = await import('better-sqlite3');
    new Database(':memory:').close();
    return [ok(program)];
  } catch (thrown) {
    return [
      error(
        `${program}: the package better-sqlite3 cannot be loaded (${failed(thrown).finding}).`,
        'Install Offprint again on this machine, with this Node: packages of another platform do not work here.',
      ),
    ];
  }
}
