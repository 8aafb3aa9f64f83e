import{b as r,c as m}from"./shared-reading.js";export{m as markAllRead,r as markRead};
