/**
 * Nothing yet, for a number that may become a fraction. An engine gives all objects of a kind another form when a field that
 * was whole is first set to a fraction, and throws away the code that it made for them; this is a fraction from the beginning.
 */
export const ZERO = -0;
