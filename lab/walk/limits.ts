/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 93, returns: 112 },
  'PATCH item': { files: 131, returns: 306 },
  'POST nested item': { files: 136, returns: 241 },
  'PUT file': { files: 101, returns: 151 },
  'uploads function': { files: 23, returns: 45 },
  'POST pay, respond-async': { files: 111, returns: 196 },
  worker: { files: 107, returns: 411 },
};
