/** What a browser may do with an answer that is no page, should somebody open it as one: nothing. Pages have policies of their own. */
export const answersPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
