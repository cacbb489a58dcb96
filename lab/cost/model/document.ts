/** Matches the part of a document between its two marks. */
const part = (name: string): RegExp =>
  new RegExp(`(<!-- begin ${name}: written by npm run cost -->\\n)[\\s\\S]*?(<!-- end ${name} -->)`);

/**
 * Returns the document with its generated parts replaced. The text around them stays as the author wrote it.
 * @throws Error if the document lacks a place for a part, or has a place for an unknown part
 */
export function fillDocument(document: string, parts: Readonly<Record<string, string>>): string {
  const places = [...document.matchAll(/<!-- begin (\w+): /g)].map(([, name = '']) => name);
  const odd = [
    ...places.filter((name) => !(name in parts)),
    ...Object.keys(parts).filter((name) => !places.includes(name)),
  ];
  if (odd.length > 0)
    throw new Error(`These parts are only in the document, or only generated: ${odd.join(', ')}`);
  return Object.entries(parts).reduce(
    (text, [name, written]) =>
      text.replace(part(name), (_, begin: string, end: string) => `${begin}\n${written}\n\n${end}`),
    document,
  );
}
