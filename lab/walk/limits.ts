/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 85, returns: 68 },
  'PATCH item': { files: 122, returns: 209 },
  'POST nested item': { files: 129, returns: 146 },
  'PUT file': { files: 96, returns: 99 },
  'uploads function': { files: 23, returns: 37 },
  'POST pay, respond-async': { files: 106, returns: 120 },
  worker: { files: 105, returns: 274 },
};
