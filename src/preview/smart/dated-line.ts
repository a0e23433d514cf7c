/**
 * A line as most loggers begin it. All patterns for times match it too; where enough lines are such, those larger ones need
 * not be compiled.
 */
export const DATED = /^\d{4}-\d\d-\d\d[T ]\d\d:/;
