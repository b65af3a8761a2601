/** What a person types for a command of Offprint: `npm run -s offprint -- build`. */
export function commandLine(command: string): string {
  return `npm run -s offprint -- ${command}`;
}
