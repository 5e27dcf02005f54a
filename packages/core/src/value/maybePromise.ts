/** Answers that are there at once where nothing has to wait, and promised where something has. */

export type MaybePromise<A> = A | Promise<A>

/** Goes on at once, or when the promise is kept. */
export const andThen = <A, B>(
  answer: MaybePromise<A>,
  next: (value: A) => MaybePromise<B>
): MaybePromise<B> => (answer instanceof Promise ? answer.then(next) : next(answer))
