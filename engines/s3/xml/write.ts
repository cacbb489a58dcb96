import type { EngineResponse } from '../../wire.ts';

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

/** Returns a response with an XML document. */
export function xmlAnswer(name: string, content: XmlContent): EngineResponse {
  const body = Buffer.from(element(name, content));
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', 'content-length': String(body.length) },
    body,
  };
}

/** Returns a key for a listing: unchanged, or URL-encoded if the request asks for that. */
export const keySpeller = (parameters: URLSearchParams): ((key: Uint8Array) => string) => {
  const isUrl = parameters.get('encoding-type') === 'url';
  return (key) => {
    const text = Buffer.from(key).toString();
    return isUrl ? encodeURIComponent(text).replaceAll('%2F', '/') : text;
  };
};

function escaped(text: string): string {
  return text.replace(/[&<>"\u0000-\u001F]/g, (character) => `&#${character.charCodeAt(0)};`);
}
