/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 87, returns: 69 },
  'PATCH item': { files: 124, returns: 229 },
  'POST nested item': { files: 131, returns: 152 },
  'PUT file': { files: 97, returns: 99 },
  'uploads function': { files: 23, returns: 38 },
  'POST pay, respond-async': { files: 106, returns: 124 },
  worker: { files: 107, returns: 285 },
};
