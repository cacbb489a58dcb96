import type { Fault, Problem } from '../shared/http/problem.ts';
import type { Document } from '../shared/representations/representation.ts';
import type { EndpointFacts, FormKind, ResourceFacts } from '../shared/resource/facts.ts';

/** The document of a page, with what the room in front of the flow adds to it. */
export interface PageDocument extends Document {
  /** Reads the lists on the home page; undefined for every other page. */
  readonly overview?: Overview;
  /** What the page of the results of ticked rows has in addition. */
  readonly ticked?: Ticked;
  /** The faults of the filters that the page of a list leaves out, with their values. */
  readonly faults?: readonly (Fault & { readonly written: string })[];
  /** The request whose plan the page shows: its path, its inputs, and its file of items as a text. */
  readonly planned?: {
    readonly action: string;
    readonly fields: ReadonlyMap<string, readonly string[]>;
    readonly items?: string;
  };
  /** The form on the page. */
  readonly form?: Form;
}

/** Reads what the home page shows of all collections. */
export interface Overview {
  /** The resources with a list. */
  readonly collections: readonly ResourceFacts[];
  /**
   * Reads a page of a list. `query`: the parameters of its address. `refused`: the caller may not read it. `unavailable`:
   * it fails, or takes too long.
   */
  readonly list: (
    of: Pick<ResourceFacts, 'name'>,
    query: Readonly<Record<string, string>>,
  ) => Promise<OverviewList | 'refused' | 'unavailable'>;
}

/** The result of a ticked row. */
export interface TickedResult {
  readonly id: string;
  readonly href: string;
  readonly problem?: Problem | undefined;
}

/**
 * The rows of a list in their order. `action`, `wanted`: the address and the button that send rows again. `found`: the
 * items of the refused rows. `undo`: the rows whose deletion can be undone.
 */
export interface Ticked {
  readonly results: readonly TickedResult[];
  readonly action: string;
  readonly wanted: string;
  /** What the service did to the other rows, as in the address of a page. */
  readonly effect: string;
  readonly undo: readonly string[];
  readonly found: OverviewList | 'refused' | 'unavailable';
}

/** The first items of a list, as the caller sees them. `isWhole`: there are no more. */
export interface OverviewList extends Pick<Document, 'expansions' | 'versions'> {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly isWhole: boolean;
}

/** A form on a page: empty, with the item's values, or with the submitted values and the reason for the refusal. */
export interface Form {
  readonly kind: FormKind;
  /** The action that the form performs. */
  readonly action?: Pick<EndpointFacts, 'id' | 'summary'>;
  /** The relations of the inputs of an action; undefined: they are those of the items. */
  readonly relations?: ResourceFacts['relations'];
  /** The submitted inputs; undefined: the form shows the values of the item. */
  readonly sent?: ReadonlyMap<string, readonly string[]>;
  readonly refused?: {
    readonly title: string;
    readonly detail: string;
    readonly errors: readonly Fault[];
    /** The lines of the items in the file that the person has sent, if it is a table. */
    readonly lines?: readonly number[];
    /** The address of what the person has made by this form before. */
    readonly made?: string;
    /** The address of the sign-in, if the form came without a valid sign-in. */
    readonly signIn?: string;
  };
  /** The entity tag of the version that the form shows; undefined for a new item. */
  readonly version?: string;
  /** True if the item has changed since the browser got the refused form. */
  readonly isStale?: boolean;
}
