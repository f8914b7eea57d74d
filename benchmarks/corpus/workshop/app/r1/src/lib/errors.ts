/** The base of all errors of the app: each has the name of its class. */
export class AppError extends Error {
  constructor(message: string) {
    super(message);
    this.name = this.constructor.name;
  }
}

export class StockError extends AppError {}
export class PermissionError extends AppError {}
export class InvoiceError extends AppError {}
export class ToolError extends AppError {}

export class HttpError extends AppError {
  constructor(
    method: string,
    path: string,
    readonly status: number,
  ) {
    super(`${method} ${path} answered ${status}`);
  }
}
