/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 90, returns: 92 },
  'PATCH item': { files: 129, returns: 268 },
  'POST nested item': { files: 134, returns: 205 },
  'PUT file': { files: 99, returns: 133 },
  'uploads function': { files: 23, returns: 45 },
  'POST pay, respond-async': { files: 109, returns: 167 },
  worker: { files: 106, returns: 352 },
};
