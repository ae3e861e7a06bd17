/** As the service keeps tags. @param {string[] | null} tags */
export const tidyTags = (tags) => tags?.map((tag) => tag.trim().toLowerCase()) ?? null;
