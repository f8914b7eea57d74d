export interface Cart {
  items?: { price: number }[];
}

/** Fails for a cart without items. */
export function total(cart: Cart): number {
  return cart.items!.reduce((sum, { price }) => sum + price, 0);
}

export function checkout(cart: Cart): number {
  return total(cart);
}
