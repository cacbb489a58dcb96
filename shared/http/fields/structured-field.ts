/** Source: RFC 9651 §3.1.2 (keys), §3.3.1 to §3.3.8 (bare items). */
const KEY = '[a-z*][a-z0-9_.*-]*';
const STRING = '"(?:[ !#-\\[\\]-~]|\\\\["\\\\])*"';
const BARE_ITEM = [
  '-?[0-9]{1,12}\\.[0-9]{1,3}',
  '-?[0-9]{1,15}',
  STRING,
  "[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*",
  ':[A-Za-z0-9+/=]*:',
  '\\?[01]',
  '@-?[0-9]{1,15}',
  '%"(?:[ !#$&-~]|%[0-9a-f]{2})*"',
].join('|');
const PARAMETERS = new RegExp(`^(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*$`);

const LEADING_STRING = new RegExp(`^${STRING}`);

/**
 * The string, with its quotes, at the beginning of a text. A backslash escapes only `"` and `\\`. Source: RFC 9651
 * §3.3.3.
 */
export const leadingString = (text: string): string | undefined => LEADING_STRING.exec(text)?.[0];

/**
 * True if the text may follow an item or a member of a dictionary: it is empty or has parameters only. Unknown
 * parameters are ignored. Source: RFC 9651 §3.1.2, §4.2.3.2.
 */
export const areParameters = (text: string): boolean => PARAMETERS.test(text);
