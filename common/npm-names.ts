/**
 * Whether npm has the packages `offprint` and `offprint-client`. Until then, nobody is told to install them by their names,
 * which others could take. After a change, `npm run docs` corrects the documents.
 */
export const AT_NPM: boolean = false;

/** What `npm install` and `npx --package` are given: a name, or the file of a release. */
export function packageSource(name: string): string {
  return AT_NPM ? name : `./${name}-VERSION.tgz`;
}

/** A document with each install command as it works now. */
export function withPackageSources(text: string): string {
  return text.replace(
    /(\bnpm install (?:--[\w-]+ )*|\bnpx --package=)(?:\.\/)?(offprint(?:-client)?)(?:@\w+|-VERSION\.tgz)?(?![\w.-])/g,
    (_, command: string, name: string) => command + packageSource(name),
  );
}
