import type { Document, Place } from '../shared/representations/representation.ts';
import type { LinkFact } from '../shared/resource/link.ts';
import { documentContent } from './content/document.ts';
import { itemContent } from './content/item.ts';
import { problemContent } from './content/problem.ts';
import { resultsContent } from './content/results.ts';
import { formContent } from './forms/form-content.ts';
import { formModel } from './forms/form-model.ts';
import { formOf } from './forms/form-of.ts';
import { layout } from './frame/layout.ts';
import { versionContent } from './history.ts';
import { listContent } from './lists/list-content.ts';
import type { Content } from './markup.ts';
import type { PageDocument } from './page-document.ts';

const CONTENTS: Readonly<
  Record<Document['kind'], (document: PageDocument, place: Place) => Content | Promise<Content>>
> = {
  item: (document, place) => (document.past ? versionContent(document, place) : itemContent(document, place)),
  list: listContent,
  form: (document, place) => formContent(withForm(document, place), place),
  results: resultsContent,
  document: documentContent,
  problem: problemContent,
};

/** Returns the document of a form. That of a refused form is complete. */
const withForm = (document: PageDocument, place: Place): PageDocument =>
  document.asked ? formOf(document.asked, place, document.expansions) : document;

/** Returns the page that shows a document. */
export async function page(document: PageDocument, place: Place): Promise<string> {
  return (await layout(await CONTENTS[document.kind](document, place), place)).toString();
}

/**
 * Returns the document of a form for API clients. Its hidden inputs are fields of the type `hidden`.
 *
 * Source: Specification 6.4.
 */
export function formDocument(document: Document, place: Place): Document {
  const {
    title,
    action,
    enctype,
    hidden,
    inputs: shown,
    breadcrumbs,
  } = formModel(withForm(document, place), place);
  // The list without the order of pages, then the item. Source: RFC 6573 §2.2; RFC 6903 §2.
  const links = breadcrumbs.map(
    ([name, address], at): LinkFact => ({
      rel: at === 0 ? 'collection' : 'about',
      href: address.split('?', 1)[0] ?? '',
      method: 'GET',
      title: name,
    }),
  );
  const fields = [
    ...hidden.map(({ name, label, value }) => ({ name, label, type: 'hidden', required: false, value })),
    ...shown.map(({ name, label, type, required, value, hint, choices }) => ({
      name,
      label,
      type,
      required,
      value,
      ...(hint === undefined ? {} : { hint }),
      ...(choices === undefined ? {} : { choices }),
    })),
  ];
  return {
    kind: 'document',
    name: 'form',
    members: { title, method: 'POST', action, enctype, fields, links },
  };
}
