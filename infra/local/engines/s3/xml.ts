/** The content of an XML element; an array repeats it, undefined leaves it out. */
type XmlContent = string | number | boolean | undefined | XmlContent[] | { [name: string]: XmlContent };

/** Renders one XML element, without the declaration that UTF-8 does not need. */
export function element(name: string, content: XmlContent): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map((each) => element(name, each)).join('');
  if (typeof content !== 'object') return `<${name}>${escaped(String(content))}</${name}>`;
  const children = Object.entries(content).map(([child, inner]) => element(child, inner));
  return `<${name}>${children.join('')}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"\u0000-\u001F]/g, (character) => `&#${character.charCodeAt(0)};`);
}
