import { ZERO } from "../zero.ts";

/** How grave things are that a value tells of. Never changed: most values tell of nothing, and share one. */
export interface Gravity {
  /** What a severity in it says, below 0 for none; how deep it stands, and whether in a list. */
  readonly grade: number;
  readonly gradeDepth: number;
  readonly listed: boolean;
  /** How grave other words in it are. */
  readonly other: number;
  /** True when a status says that all is well. */
  readonly cleared: boolean;
}

/** A fraction, for the reason that `ZERO` is one. */
const NO_GRADE = -0.5;

/** That of a value that tells of nothing. */
export const NO_GRAVITY = newGravity(NO_GRADE, Number.POSITIVE_INFINITY, false, ZERO, false);

/** That of a value which a severity grades. */
export function graded(grade: number, depth: number): Gravity {
  return newGravity(grade, depth, false, ZERO, false);
}

/** That of a value whose words tell of trouble, or whose status that all is well. */
export function told(other: number, cleared = false): Gravity {
  return newGravity(NO_GRADE, Number.POSITIVE_INFINITY, false, other, cleared);
}

/** The same of a value whose words tell at least so much trouble. */
export function withOther(gravity: Gravity, other: number): Gravity {
  const { grade, gradeDepth, listed, cleared } = gravity;
  return other > gravity.other ? newGravity(grade, gradeDepth, listed, other, cleared) : gravity;
}

/**
 * What a parent says with one child more. In an object the shallowest grade is the object's own, however deep it stands;
 * an array is as grave as its gravest item.
 */
export function mergeGravity(parent: Gravity, array: boolean, child: Gravity, scalar: boolean): Gravity {
  if (child === NO_GRAVITY) return parent;
  if (array) return withItem(parent, child);
  // The first scalar that says something says it for all of the object.
  return parent === NO_GRAVITY && scalar ? child : withMember(parent, child, scalar);
}

function withItem(parent: Gravity, child: Gravity): Gravity {
  const gravity = gravityOf(child);
  if (child.grade < 0) return withOther(parent, gravity);
  const { grade, gradeDepth, listed, other, cleared } = parent;
  if (listed && gravity <= grade && child.gradeDepth >= gradeDepth) return parent;
  return newGravity(Math.max(gravity, grade), Math.min(gradeDepth, child.gradeDepth), true, other, cleared);
}

function withMember(parent: Gravity, child: Gravity, scalar: boolean): Gravity {
  const depth = child.gradeDepth + (scalar ? 0 : 1);
  const nearer = depth < parent.gradeDepth || (depth === parent.gradeDepth && child.grade > parent.grade);
  const grades = child.grade >= 0 && nearer;
  const other = scalar ? child.other : 0.8 * child.other;
  const clears = scalar && child.cleared && !parent.cleared;
  if (!grades && !clears) return withOther(parent, other);
  const { grade, listed } = grades ? child : parent;
  const gradeDepth = grades ? depth : parent.gradeDepth;
  return newGravity(grade, gradeDepth, listed, Math.max(other, parent.other), clears || parent.cleared);
}

/** How grave a value is: about 3 for "critical", 2.4 for "failed", 0 for most. */
export function gravityOf({ grade, other, cleared }: Gravity): number {
  const well = cleared && other < 1;
  if (grade < 0) return well ? 0 : other;
  return well ? 0.1 : grade + 0.05 * other;
}

/** The one place where they are made, so that all are of one form. */
function newGravity(grade: number, gradeDepth: number, listed: boolean, other: number, cleared: boolean): Gravity {
  return { grade, gradeDepth, listed, other, cleared };
}
