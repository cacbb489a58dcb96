import type { Document, Place } from '../representations/representation.ts';
import { documentContent } from './document-content.ts';
import { formContent } from './form-content.ts';
import { itemContent } from './item-content.ts';
import { layout } from './layout.ts';
import { listContent } from './list-content.ts';
import type { Content } from './markup.ts';
import { problemContent } from './problem-content.ts';
import { resultsContent } from './results-content.ts';

const CONTENTS: Readonly<Record<Document['kind'], (document: Document, place: Place) => Content>> = {
  item: itemContent,
  list: listContent,
  form: formContent,
  results: resultsContent,
  document: documentContent,
  problem: problemContent,
};

/** The page that shows a document. */
export async function page(document: Document, place: Place): Promise<string> {
  return (await layout(CONTENTS[document.kind](document, place), place)).toString();
}
