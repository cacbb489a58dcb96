/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 89, returns: 88 },
  'PATCH item': { files: 126, returns: 251 },
  'POST nested item': { files: 130, returns: 167 },
  'PUT file': { files: 99, returns: 118 },
  'uploads function': { files: 23, returns: 38 },
  'POST pay, respond-async': { files: 108, returns: 143 },
  worker: { files: 104, returns: 288 },
};
