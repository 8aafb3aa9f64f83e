/** The emoji of somebody who does not want to be disturbed: the page of such a person counts nothing in its title. */
export const hush = "🔕";
