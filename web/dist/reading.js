import{b as a,c as b}from"./shared-reading.js";export{b as markAllRead,a as markRead};
