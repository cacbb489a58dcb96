/** How long a judgement of the authorizer is kept, in seconds: a token that was revoked lets its bearer in for this much longer. */
export const AUTHORIZER_CACHE_SECONDS = 300;
