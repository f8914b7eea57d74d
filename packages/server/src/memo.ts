/**
 * Answers that were worked out before, by text. When there is no more room all are forgotten, and what comes often is
 * soon there again: keeping account of which was used last would cost more than most of the answers.
 */
export class Memo<Answer> {
  readonly #answers = new Map<string, Answer>();
  readonly #most: number;
  readonly #mostChars: number;
  #chars = 0;

  /** `most` answers to questions of `mostChars` characters in all. */
  constructor(most: number, mostChars: number) {
    this.#most = most;
    this.#mostChars = mostChars;
  }

  get(question: string): Answer | undefined {
    return this.#answers.get(question);
  }

  set(question: string, answer: Answer): void {
    if (this.#answers.size >= this.#most || this.#chars + question.length > this.#mostChars) this.#forget();
    this.#answers.set(question, answer);
    this.#chars += question.length;
  }

  #forget(): void {
    this.#answers.clear();
    this.#chars = 0;
  }
}
