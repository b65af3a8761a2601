/**
 * An error as GitHub Actions shows it on the page of a run, which otherwise says only "exit code 1": a workflow command
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
 */
export function annotation(message: string): string {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::error title=Offprint::${escaped}`;
}

/** Whether this process is a step of GitHub Actions. */
export function isStep({ GITHUB_ACTIONS }: NodeJS.ProcessEnv): boolean {
  return GITHUB_ACTIONS === 'true';
}
