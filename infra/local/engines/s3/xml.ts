/** A document element with text children; arrays repeat their element, undefined leaves it out. */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | XmlContent[]
  | { [name: string]: XmlContent };

/** Renders one XML document as S3 writes it. */
export function xmlDocument(root: string, content: XmlContent, namespace?: string): Buffer {
  const attribute = namespace ? ` xmlns="${namespace}"` : '';
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${children(content)}</${root}>`,
  );
}

function children(content: XmlContent): string {
  if (content === undefined) return '';
  if (typeof content !== 'object') return escaped(String(content));
  return Object.entries(content)
    .map(([name, child]) => element(name, child))
    .join('');
}

function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map((each) => element(name, each)).join('');
  return `<${name}>${children(content)}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"\u0000-\u001F]/g, (character) => `&#${character.charCodeAt(0)};`);
}
