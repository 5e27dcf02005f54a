/** A value, or a promise of it if something has to wait. */

export type MaybePromise<A> = A | Promise<A>

/** Applies `next` to the value: at once, or when the promise resolves. */
export const andThen = <A, B>(
  answer: MaybePromise<A>,
  next: (value: A) => MaybePromise<B>
): MaybePromise<B> => (answer instanceof Promise ? answer.then(next) : next(answer))
