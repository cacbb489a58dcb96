/**
 * The most files that a way may pass, and the most returns to a file. The numbers may only fall. Between a limit and what is
 * measured is some room, so that no change has to count single files.
 */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 50, returns: 32 },
  'PATCH item': { files: 76, returns: 135 },
  'POST nested item': { files: 80, returns: 105 },
  'PUT file': { files: 67, returns: 65 },
  'uploads function': { files: 20, returns: 30 },
  'POST pay, respond-async': { files: 70, returns: 82 },
  worker: { files: 72, returns: 175 },
};
