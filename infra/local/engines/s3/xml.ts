/** The content of a document element; arrays repeat their element, undefined leaves it out. */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | XmlContent[]
  | { [name: string]: XmlContent };

/** Renders one XML document as S3 writes it. */
export function xmlDocument(root: string, content: XmlContent): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`);
}

function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map((each) => element(name, each)).join('');
  const inner =
    typeof content === 'object'
      ? Object.entries(content).map(([child, grandchild]) => element(child, grandchild))
      : [escaped(String(content))];
  return `<${name}>${inner.join('')}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"\u0000-\u001F]/g, (character) => `&#${character.charCodeAt(0)};`);
}
