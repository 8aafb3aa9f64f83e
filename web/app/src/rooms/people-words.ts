const manyPeople = 1000; // the server counts no further

/** Returns a number of people in words. */
export const peopleWords = (count: number): string =>
  count >= manyPeople ? `${manyPeople}+ people` : count === 1 ? "1 person" : `${count} people`;
