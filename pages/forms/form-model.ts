import { FORM_TYPES, KEY_INPUT, VERSION_INPUT } from '../../shared/representations/forms/inputs.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { breadcrumbsOf } from '../frame/breadcrumbs.ts';
import { type Content, formAddress, requirePart } from '../markup.ts';
import { nameInSentence, nameOf } from '../names/item-name.ts';
import type { Form, PageDocument } from '../page-document.ts';
import { OWN_INPUTS } from '../page-inputs.ts';
import { type Input, inputs } from './inputs.ts';
import type { Offers } from './offers.ts';

/** An input without a control, which the form sends back as it is. */
export interface HiddenInput {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** A form: its page shows it, and its JSON and XML consist of it. */
interface FormModel {
  readonly title: string;
  /** The address that accepts the form, with base path. */
  readonly action: string;
  readonly enctype: string;
  readonly hidden: readonly HiddenInput[];
  readonly inputs: readonly Input[];
  /** The label of the button that sends the form. */
  readonly submit: string;
  /** The breadcrumb: the list, and the item's own page if it has one. */
  readonly breadcrumbs: Content['breadcrumbs'];
}

const [URLENCODED = '', MULTIPART = ''] = FORM_TYPES;

/** Returns the form to create an item, to change it, or to confirm its removal or a transition. */
export function formModel(document: PageDocument, place: Place, offers?: Offers): FormModel {
  const resource = requirePart(place.resource);
  const description = requirePart(document.description);
  const { kind, action, refused, version } = requirePart(document.form);
  const id = document.members[description.identifier.name];
  // A file has no page of its own.
  const isAlone = id === undefined || description.identifier.kind === 'text';
  const name = nameOf(description, document.members, document.expansions);
  const shown = kind === 'delete' || kind === 'transition' ? [] : inputs(document, place, offers);
  const isAgain = refused !== undefined && kind !== 'delete';
  return {
    ...(action ? ofAction(action, document, place) : words(kind, resource, document)),
    action:
      isAgain || action ? place.basePath + place.path : (formAddress(resource, place, kind, id) as string),
    // Only a multipart form carries files.
    enctype: shown.some(({ type }) => type === 'file') ? MULTIPART : URLENCODED,
    hidden: [
      { name: KEY_INPUT, label: OWN_INPUTS[KEY_INPUT], value: place.requestId },
      ...(version === undefined
        ? []
        : [{ name: VERSION_INPUT, label: OWN_INPUTS[VERSION_INPUT], value: version }]),
    ],
    inputs: shown,
    breadcrumbs: breadcrumbsOf(isAlone ? [resource.name] : [resource.name, String(id)], place.basePath, name),
  };
}

function words(
  kind: Form['kind'],
  { tracked }: ResourceFacts,
  document: PageDocument,
): Pick<FormModel, 'title' | 'submit'> {
  const description = requirePart(document.description);
  const name = nameInSentence(description, document.members, document.expansions);
  if (kind === 'new')
    return { title: `New ${description.singular}`, submit: `Create ${description.singular}` };
  if (kind === 'edit') return { title: `Edit ${name}`, submit: 'Save' };
  const verb = capitalize(tracked?.removal ?? 'delete');
  const submit = `${verb} ${tracked ? name.toLowerCase() : name}`;
  return { title: `${submit}?`, submit };
}

function ofAction(
  { id: verb, summary }: NonNullable<Form['action']>,
  { members, description, expansions }: PageDocument,
  { resource }: Place,
): Pick<FormModel, 'title' | 'submit'> {
  const item = requirePart(description);
  if (members[item.identifier.name] === undefined) {
    const submit = summary ?? `${capitalize(verb)} ${requirePart(resource).title.toLowerCase()}`;
    return { title: submit, submit };
  }
  const name = nameInSentence(item, members, expansions);
  return {
    title: summary === undefined ? `${capitalize(verb)} ${name}` : `${summary}: ${name}`,
    submit: summary ?? `${capitalize(verb)} ${item.singular}`,
  };
}
