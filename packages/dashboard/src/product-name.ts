/** The name of the product on screen: next to the icon, in the titles of tabs and in index.html. */
export const productName = 'Service';
