/** A collection of the service, as the navigation of every page names it. */
export interface Collection {
  /** The path of its list, without base path. */
  readonly path: `/${string}`;
  readonly title: string;
  /** The name of one item. */
  readonly singular: string;
  /** The property that names its items, if it is one. */
  readonly names?: string;
}
