import { SaxesParser } from 'saxes';
import { Fault } from '../../fault.ts';
import type { S3Request } from '../s3.ts';

/** A parsed XML element, without attributes. */
export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

// 10,000 parts with checksums need about 2 MB.
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/**
 * Returns the document element of a request's body.
 * @throws MalformedXML (400) if there is none, or it has another name
 */
export async function documentOf({ body }: S3Request, name: string): Promise<XmlElement> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > MAXIMUM_BYTES) throw malformedXml();
    pieces.push(piece);
  }
  const root: XmlElement = { name: '', text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser();
  const text = (part: string): void => {
    (open.at(-1) as XmlElement).text += part;
  };
  parser.on('error', () => {
    throw malformedXml();
  });
  parser.on('opentag', (tag) => {
    const element: XmlElement = { name: tag.name, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', text);
  parser.on('cdata', text);
  parser.write(Buffer.concat(pieces).toString()).close();
  const [document] = root.children;
  if (document?.name !== name) throw malformedXml();
  return document;
}

/** The children of that name. */
export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The text of the child of that name, without the white space around it. */
export const textOf = (element: XmlElement, name: string): string | undefined =>
  childrenOf(element, name)[0]?.text.trim();

/** S3's error for unreadable or incomplete XML. */
export const malformedXml = (): Fault =>
  new Fault('MalformedXML', 'The XML you provided was not well-formed or did not validate.');
