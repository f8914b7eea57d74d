/** So many questions of the last ones are known to have been asked before. A power of two. */
const sightings = 8_192;
const samples = 24;

/**
 * Answers that were worked out before, by text, from the second time on that a question is asked: one that comes once
 * would only push out those that come often. When there is no more room all are forgotten, and what comes often is soon
 * there again: keeping account of which was used last would cost more than most of the answers.
 */
export class AdmissionCache<Answer> {
  readonly #answers = new Map<string, Answer>();
  readonly #seen = new Int32Array(sightings);
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
    if (!this.#isSeenAgain(question)) return;
    if (this.#answers.size >= this.#most || this.#chars + question.length > this.#mostChars) this.#forget();
    this.#answers.set(question, answer);
    this.#chars += question.length;
  }

  /** Goes by a few of the characters: that two questions are taken for one does no harm. */
  #isSeenAgain(question: string): boolean {
    const step = Math.max(1, Math.floor(question.length / samples));
    let mark = question.length;
    for (let at = question.length - 1; at >= 0; at -= step) mark = (Math.imul(mark, 31) + question.charCodeAt(at)) | 0;
    const place = (mark ^ (mark >>> 13)) & (sightings - 1);
    const isKnown = this.#seen[place] === mark;
    this.#seen[place] = mark;
    return isKnown;
  }

  #forget(): void {
    this.#answers.clear();
    this.#chars = 0;
  }
}
