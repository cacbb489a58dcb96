/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 76, returns: 43 },
  'PATCH item': { files: 113, returns: 187 },
  'POST nested item': { files: 119, returns: 119 },
  'PUT file': { files: 87, returns: 79 },
  'uploads function': { files: 23, returns: 37 },
  'POST pay, respond-async': { files: 95, returns: 100 },
  worker: { files: 98, returns: 253 },
};
