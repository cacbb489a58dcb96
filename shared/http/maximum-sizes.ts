/** Maximum bytes of a JSON or XML body. Source: Specification 10.10. */
export const MAXIMUM_BODY = 1_000_000;
/**
 * Maximum bytes of files and forms with files after gunzip: as many as a function can receive without coding, because
 * base64 of them fits into 6 MB.
 */
export const MAXIMUM_UNPACKED = 4_700_000;
/** Maximum bytes of a text in a response: base64 of more does not fit into the 6 MB of a function's response. */
export const MAXIMUM_TEXT = 4_000_000;
/** Maximum bytes of a file in a request or response: base64 of more does not fit into a function's 6 MB. */
export const MAXIMUM_BYTES = 4 * 1024 * 1024;
/**
 * Bytes of one object at most, and of all files of a manifest together. Source: User Guide of the store of objects, multipart
 * upload limits.
 */
export const MAXIMUM_UPLOAD = 5_000_000_000_000;
/** Bytes that a function can read and digest within its 15 minutes, at 40 MB/s. */
export const MAXIMUM_VERIFIED = 32 * 1024 ** 3;
/** Maximum elements of an array. Each becomes an item with an event, and 1 MB could hold 90,000 elements. */
export const MAXIMUM_ELEMENTS = 10_000;
