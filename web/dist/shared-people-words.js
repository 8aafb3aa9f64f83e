var p=e=>e>=1e3?"1000+ people":e===1?"1 person":`${e} people`;export{p as a};
