import{a,b}from"./shared-deletions.js";import"./shared-edits.js";import"./shared-page.js";import"./shared-preact.js";export{a as deleteSoon,b as followDeletions};
