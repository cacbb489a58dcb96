/** A link of an item: `href` is a path of this service without base path. One per (rel, method). */
export interface LinkFact {
  readonly rel: string;
  readonly href: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly types?: readonly string[];
  readonly title?: string;
}
