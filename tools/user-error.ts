/** A reason why a command cannot do its work. The message is one sentence for the user, and says what to do. */
export class UserError extends Error {}
