/** A link whose target is a URI template. */
export interface LinkTemplate {
  readonly template: string;
  readonly rel: string;
}

/**
 * The value of a Link-Template field: a string with a parameter. Templates of this service are printable ASCII without
 * quotation marks and backslashes.
 *
 * Source: RFC 9652 §2; RFC 9651 §3.3.3.
 */
export const formatLinkTemplate = ({ template, rel }: LinkTemplate): string => `"${template}"; rel="${rel}"`;
