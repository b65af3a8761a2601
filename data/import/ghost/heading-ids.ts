/**
 * Gives headings the ids that Ghost gives them, so that links to them within an article lead there: the
 * words in lower case with hyphens; `-1`, `-2` tell equal ones apart.
 */
export function headingIds(): (text: string) => string {
  const taken = new Set<string>();
  return (text) => {
    const words = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '');
    let id = words;
    for (let count = 1; taken.has(id); count++) id = `${words}-${count}`;
    taken.add(id);
    return id;
  };
}
