/** A statement of IAM: these actions are allowed on these resources (ARNs, or `*`). */
export interface Permission {
  readonly actions: readonly string[];
  readonly on: readonly string[];
}

/** What the code of an author needs. Names have capital letters, digits and `_`: `MAIL_FROM`. */
export interface Needs {
  /** Values that differ between environments. The code reads one by `variable('MAIL_FROM')`. */
  readonly variables?: readonly string[];
  /** Values that stay hidden: no log, no template and no response has them. The code reads one by `await secret('MAIL_KEY')`. */
  readonly secrets?: readonly string[];
  /** What the function that runs the code may do on AWS, in addition to what the definition implies. */
  readonly may?: readonly Permission[];
}

/** The names of a kind that `needs` states. Without any, the remedy is the only text that the compiler accepts. */
type Stated<N, Kind extends 'variables' | 'secrets'> = Kind extends keyof N
  ? Extract<NonNullable<N[Kind]> extends readonly (infer Name)[] ? Name : never, string>
  : `Add it to needs.${Kind}`;

/** Reads what `needs` names. `N`: the facts of `needs`. */
export interface SettingsOf<N> {
  /** Returns the value of a variable. @throws Error if the environment has none */
  variable(name: Stated<N, 'variables'>): string;
  /** Reads a secret. A function keeps it for five minutes. @throws Error if it is missing */
  secret(name: Stated<N, 'secrets'>): Promise<string>;
}
